/** `pathpool import-marmotta`: takes the data of an Apache Marmotta into a running server. */
import { AppError } from '../../errors.ts';
import { Output } from '../output.ts';
import type { WorkDisplay } from '../work-display.ts';
import { importContents } from './content-import.ts';
import { DataSender } from './data-sender.ts';
import { quadsIn } from './dump.ts';
import { Home } from './home.ts';
import { LdpImport } from './ldp-import.ts';
import type { MarmottaOptions } from './options.ts';
import { importPrefixes, usablePrefixes } from './prefix-import.ts';
import { importPrograms } from './program-import.ts';
import { Report } from './report.ts';
import { Survey } from './survey.ts';
import { TargetServer } from './target-server.ts';

/** Returns the report. Errors: those of reading the files, and `PathpoolError`. */
export async function importMarmotta(
  options: MarmottaOptions,
  bar: WorkDisplay,
  notice: (message: string) => void,
): Promise<Report> {
  const report = new Report();
  const server = new TargetServer(options.server, options.authorization);
  const base = await server.base();
  const home = options.home === undefined ? undefined : await Home.read(options.home);
  home?.reportSettings(report);
  const showing = (work: string) => (done: number, total: number) => bar.show(work, done, total);
  const survey = await Survey.of(options.dumps, home, { report, progress: showing('reading') }).catch(
    explain,
  );
  const ldp = new LdpImport(survey, { server, base, home, report });
  const ofHome = usablePrefixes(home?.prefixes ?? new Map(), report);
  const prefixes = new Map([...survey.prefixes, ...ofHome]);
  const data = new DataSender(server, report, prefixes);
  for await (const quad of quadsIn(options.dumps, { progress: showing('sending') })) {
    if (survey.isNote(quad) || ldp.takes(quad) || options.skipsData) continue;
    await data.add(quad);
  }
  await data.end();
  bar.show('creating LDP resources');
  await ldp.create();
  bar.show('sending prefixes, content and programs');
  await importPrefixes(prefixes, server, report);
  await importContents(survey.contents, server, report);
  if (home) await importPrograms(home, ofHome, { server, report });
  if (options.report !== undefined) await writeReport(report, options.report, notice);
  return report;
}

/** Nothing has been sent yet. */
function explain(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'parse-error') throw error;
  const hint = /Malformed escape/.test(error.message) ? ESCAPES : '';
  throw new Error(`${error.message}. Nothing was sent.${hint}`, { cause: error });
}

const ESCAPES =
  ' Marmotta writes characters beyond U+FFFF in N-Quads as two escapes, which are no N-Quads: export application/trig.';

async function writeReport(report: Report, file: string, notice: (message: string) => void): Promise<void> {
  const output = await Output.open(file, notice);
  await output.write(Buffer.from(report.json()));
  await output.close();
}
