export function LoadPage() {
  return <h1>Load</h1>;
}
