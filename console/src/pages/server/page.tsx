export function ServerPage() {
  return <h1>Server</h1>;
}
