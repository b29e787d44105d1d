export function ResourcePage() {
  return <h1>Resource</h1>;
}
