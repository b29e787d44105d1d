/** A test of the W3C suites for RDF formats. */
export interface FormatTest {
  /** Suite and name in it, as `rdf-turtle/IRI_subject` or `toRdf/t0001`. */
  readonly name: string;
  /** `read`: a document and its quads; `write`: quads and their document as JSON-LD. */
  readonly kind: 'read' | 'write' | 'positive syntax' | 'negative syntax';
  readonly mediaType: string;
  readonly input: Document;
  /** The base of relative IRIs in the input. */
  readonly base: string;
  /** Absent in tests of syntax. */
  readonly expected?: Document;
}

export interface Document {
  /** Path of its file. */
  readonly file: string;
}

/** Tests that are counted in one row of the report. */
export interface FormatSuite {
  readonly name: string;
  readonly tests: readonly FormatTest[];
}
