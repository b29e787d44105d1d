export function SparqlPage() {
  return <h1>Sparql</h1>;
}
