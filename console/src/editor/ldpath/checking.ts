import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { CheckReport, Finding } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';

/** Milliseconds without typing after which a program is checked. */
const DELAY = 250;

/** Underlines what the server finds wrong with a program, and reports it. */
export function ldpathChecking(onChecked: (checked: CheckReport | undefined) => void): Extension {
  return linter(
    async (view) => {
      const program = view.state.doc.toString();
      const checked = await client.ldpath.check(program).catch(() => undefined);
      onChecked(checked);
      if (!checked) return [];
      const { errors, warnings } = checked;
      return [
        ...errors.map((each) => diagnosticOf(each, 'error', program.length)),
        ...warnings.map((each) => diagnosticOf(each, 'warning', program.length)),
      ];
    },
    { delay: DELAY },
  );
}

/** At the end of the text, where nothing is left to underline, the last character is. */
function diagnosticOf(finding: Finding, severity: Diagnostic['severity'], length: number): Diagnostic {
  const { offset, length: marked = 1, detail } = finding;
  const to = Math.min(length, offset + Math.max(1, marked));
  return { from: Math.max(0, Math.min(offset, to - 1)), to, severity, message: detail };
}
