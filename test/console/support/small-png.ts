import { deflateSync, inflateSync } from 'node:zlib';

/** Pixels as RGB, three bytes each, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS = 3;
const MAX_COLOURS = 256;

/**
 * Writes an RGB PNG with 256 colours, which makes pictures of pages less than half as large. Of
 * more colours, which are the edges of letters, rare ones become the nearest of the others.
 */
export function withFewColours(png: Buffer): Buffer {
  const { width, height, bytes } = readPng(png);
  const counts = new Map<number, number>();
  for (let i = 0; i < bytes.length; i += CHANNELS) {
    const colour = bytes.readUIntBE(i, CHANNELS);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_COLOURS);
  const palette = frequent.map(([colour]) => colour);
  const indices = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  // Each row begins with its filter: 0, which is none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let i = 0; i < width * height; i++) {
    rows[i + Math.floor(i / width) + 1] = indices.get(bytes.readUIntBE(i * CHANNELS, CHANNELS))!;
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const colours = Buffer.alloc(palette.length * CHANNELS);
  for (const [i, colour] of palette.entries()) colours.writeUIntBE(colour, i * CHANNELS, CHANNELS);
  const data = deflateSync(rows, { level: 9 });
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', data), end]);
}

function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((each) => distance(each, colour));
  return distances.indexOf(Math.min(...distances));
}

function distance(a: number, b: number): number {
  const differences = [16, 8, 0].map((shift) => ((a >> shift) & 255) - ((b >> shift) & 255));
  return differences.reduce((sum, each) => sum + each ** 2, 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** The checksum of PNG. */
function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function readPng(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const content = png.subarray(at + 8, at + 8 + length);
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { width, height, bytes: unfiltered(inflateSync(Buffer.concat(data)), width * CHANNELS, height) };
}

/** Undoes the filters of rows of so many bytes. */
function unfiltered(rows: Buffer, length: number, height: number): Buffer {
  const bytes = Buffer.alloc(length * height);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1);
    const filter = rows[start]!;
    for (let x = 0; x < length; x++) {
      const at = y * length + x;
      const left = x < CHANNELS ? 0 : bytes[at - CHANNELS]!;
      const above = y === 0 ? 0 : bytes[at - length]!;
      const corner = x < CHANNELS || y === 0 ? 0 : bytes[at - length - CHANNELS]!;
      const predictions = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      bytes[at] = rows[start + 1 + x]! + predictions[filter]!;
    }
  }
  return bytes;
}

/** The predictor of PNG with this name: the neighbour that is nearest to a plane through all. */
function paeth(left: number, above: number, corner: number): number {
  const plane = left + above - corner;
  const [a, b, c] = [left, above, corner].map((each) => Math.abs(plane - each)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
