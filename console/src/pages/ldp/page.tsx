export function LdpPage() {
  return <h1>Ldp</h1>;
}
