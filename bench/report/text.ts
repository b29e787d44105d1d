/** A number as people read it: three digits that count, thousands set apart. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  if (size >= 10) return value.toFixed(1);
  return size === 0 ? '0' : value.toPrecision(3);
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
