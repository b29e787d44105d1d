import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface DropZoneProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** What the zone says; it has a `FileButton`, which does the same for keys. */
  readonly children: ComponentChildren;
}

/** A place to which files are dragged. */
export function DropZone({ onFiles, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  useEffect(keepDroppedFilesFromOpening, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same for keys
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {children}
    </div>
  );
}

/** A file that misses the zone would replace the page. */
function keepDroppedFilesFromOpening(): () => void {
  const prevent = (event: Event) => event.preventDefault();
  const events = ['dragover', 'drop'];
  for (const event of events) addEventListener(event, prevent);
  return () => {
    for (const event of events) removeEventListener(event, prevent);
  };
}
