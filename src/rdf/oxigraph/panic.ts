type Functions = Record<string, () => unknown>;
type Reporter = (address: number, bytes: number) => unknown;

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** A fault of Oxigraph itself: its code stopped (Rust: panicked). Its instance is then broken. */
export class OxigraphPanic extends Error {
  override readonly name = 'OxigraphPanic';
}

/** What Rust reports if a collection would need more than can be addressed. */
const NO_MEMORY = /capacity overflow|memory allocation of/;

/**
 * Makes panics throw `OxigraphPanic`. Otherwise a panic would end in the same trap ("unreachable")
 * as a lack of memory does. But only a panic first reports itself to a function of `imports`, which
 * are those of the module: that function throws, instead of writing the report to standard error.
 */
export function throwPanics(
  imports: Readonly<Record<string, Functions>>,
  memory: () => Memory | undefined,
): void {
  const report: Reporter = (address, bytes) => {
    const text = Buffer.from(memory()?.buffer ?? new ArrayBuffer(0), address, bytes).toString();
    if (!NO_MEMORY.test(text)) throw new OxigraphPanic(withoutStack(text));
  };
  for (const functions of Object.values(imports)) {
    for (const name of Object.keys(functions)) {
      if (name.startsWith('__wbg_error_')) functions[name] = report as () => unknown;
    }
  }
}

/** Returns the place and the message of a report, in one line. */
function withoutStack(report: string): string {
  return report
    .replace(/\n\s*Stack:[\s\S]*$/, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
}
