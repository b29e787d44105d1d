/** Numbers and units, as pages show them. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** All digits of large numbers, three of small ones. */
export function numberText(value: number): string {
  return (Math.abs(value) < 1000 ? short : whole).format(value);
}

export function bytesText(bytes: number): string {
  const steps = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${short.format(bytes / 1024 ** steps)} ${BYTE_UNITS[steps]}`;
}

/** The two largest units of a time. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${short.format(Math.max(0, milliseconds))} ms`;
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
