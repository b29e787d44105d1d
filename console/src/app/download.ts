/** Lets the browser save bytes as a file. A link to the server could not carry credentials. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has the bytes once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Characters. File systems allow 255 bytes. */
const MAX_NAME = 100;

/** Returns a name for a file from the last segment of an IRI. */
export function fileNameFor(iri: string, extension = ''): string {
  const last = iri.replace(/[/#?]+$/, '').replace(/^.*[/#?]/, '');
  const name = last.replace(/[^\w.-]+/g, '-').slice(0, MAX_NAME) || 'data';
  return extension === '' || name.endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
