import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';

/** PUTs a file of Turtle; throws what the server says when it does not take it. */
export async function putFile(url: string, file: string): Promise<void> {
  const headers = { 'Content-Type': 'text/turtle', 'Content-Length': (await stat(file)).size };
  await new Promise<void>((resolve, reject) => {
    const upload = request(url, { method: 'PUT', headers }, (response) => {
      const { statusCode = 0 } = response;
      response.resume().on('end', () => {
        if (statusCode < 300) resolve();
        else reject(new Error(`PUT ${url} answered ${statusCode}`));
      });
    });
    createReadStream(file).pipe(upload.on('error', reject));
  });
}
