/** Runs programs of Java, and reads what the suite reports. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAfter } from '../kill-after.ts';
import { type Outcome, readResults } from './results.ts';

export const MAIN = 'org.w3.ldp.testsuite.RunLdpTestSuite';
/** A property that the server alone writes. */
export const READ_ONLY = 'http://purl.org/dc/terms/created';
const RUN_MS = 120_000;
/**
 * The suite dates from 2014, and its libraries access packages that Java blocks since version 16.
 * Java 8, which does not know these options, does not read the variable that passes them either.
 */
const OPENED = `java.io java.lang java.lang.invoke java.lang.reflect java.math java.net java.nio java.nio.charset
  java.security java.text java.time java.util java.util.concurrent java.util.function java.util.regex java.util.stream
  sun.net.spi sun.net.www.protocol.http sun.nio.ch sun.nio.cs sun.reflect.annotation sun.util.calendar`;
const JAVA_OPTIONS = OPENED.split(/\s+/)
  .map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)
  .join(' ');

/**
 * Runs the class and arguments that `command` returns for a folder of output, in that folder.
 */
export async function runTests(
  classPath: string,
  command: (output: string) => readonly string[] | Promise<readonly string[]>,
): Promise<Outcome[]> {
  const output = await mkdtemp(join(tmpdir(), 'ldp-suite-'));
  try {
    await runs('java', ['-cp', classPath, ...(await command(output))], { timeout: RUN_MS, cwd: output });
    return readResults(await readFile(join(output, 'test-output', 'testng-results.xml'), 'utf8'));
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/**
 * Whether a command ran successfully. Its output is discarded; the suite's verdict is in its
 * report.
 */
export function runs(
  command: string,
  args: readonly string[],
  { timeout = 30_000, cwd }: { readonly timeout?: number; readonly cwd?: string } = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { ...process.env, JDK_JAVA_OPTIONS: JAVA_OPTIONS };
    const child = spawn(command, args, { cwd, env, stdio: 'ignore' });
    killAfter(child, timeout);
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
