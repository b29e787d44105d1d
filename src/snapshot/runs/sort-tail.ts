/** With more numbers than this a library sort is worth its copy. */
const SMALL = 32;

/** Sorts `list[from ..]` and removes duplicates from it. */
export function sortTail(list: number[], from: number): void {
  if (list.length - from > SMALL) sortBig(list, from);
  else sortSmall(list, from);
  dropRepeated(list, from);
}

function sortSmall(list: number[], from: number): void {
  for (let i = from + 1; i < list.length; i++) {
    const value = list[i]!;
    let at = i;
    for (; at > from && list[at - 1]! > value; at--) list[at] = list[at - 1]!;
    list[at] = value;
  }
}

function sortBig(list: number[], from: number): void {
  const sorted = new Uint32Array(list.length - from);
  for (let i = 0; i < sorted.length; i++) sorted[i] = list[from + i]!;
  sorted.sort();
  for (let i = 0; i < sorted.length; i++) list[from + i] = sorted[i]!;
}

function dropRepeated(list: number[], from: number): void {
  let kept = from;
  for (let i = from; i < list.length; i++) {
    if (i === from || list[i] !== list[kept - 1]) list[kept++] = list[i]!;
  }
  list.length = kept;
}
