import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Why there can be no certificates; false if there can. */
export const withoutOpenssl: string | false =
  spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed';

/** Files in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const days = ['-days', '2'];

/** A certificate authority that nobody else knows. Its files are in a directory. */
export class Authority {
  /** The file of its own certificate. */
  readonly file: string;
  readonly #directory: string;
  readonly #key: string;
  #issued = 0;

  constructor(directory: string) {
    this.#directory = directory;
    this.file = join(directory, 'ca.pem');
    this.#key = join(directory, 'ca-key.pem');
    const name = ['-subj', '/CN=Test authority'];
    openssl(['req', '-x509', ...newKey, ...days, ...name, '-keyout', this.#key, '-out', this.file]);
  }

  /** Issues a certificate. `names` as in `IP:127.0.0.1,DNS:localhost`. */
  issue(names: string): Certificate {
    this.#issued++;
    const place = (kind: string) => join(this.#directory, `${this.#issued}-${kind}.pem`);
    const [certificate, key, request, extensions] = [
      ...[place('certificate'), place('key'), place('request'), place('extensions')],
    ] as [string, string, string, string];
    openssl(['req', '-new', ...newKey, '-subj', '/CN=test', '-keyout', key, '-out', request]);
    writeFileSync(extensions, `subjectAltName=${names}\n`);
    const authority = ['-CA', this.file, '-CAkey', this.#key, '-CAcreateserial'];
    openssl([
      ...['x509', '-req', '-in', request, ...authority, ...days],
      ...['-extfile', extensions, '-out', certificate],
    ]);
    return { certificate, key };
  }
}

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
