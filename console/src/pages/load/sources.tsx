import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { formats } from './formats.ts';
import { queue } from './queue.ts';

/** The ways in which files get into the queue. */
export function Sources() {
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(keepDroppedFilesFromOpening, []);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same */}
      <div
        class={isOver ? 'drop-zone over' : 'drop-zone'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          addFiles(event.dataTransfer?.files);
        }}
      >
        <p>Drag RDF files here, compressed (.gz) or not, or</p>
        <div class="buttons">
          <button type="button" onClick={() => input.current?.click()}>
            Choose files
          </button>
          <button type="button" onClick={() => setPasting(true)}>
            Paste text
          </button>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files"
          onChange={({ currentTarget }) => {
            addFiles(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </div>
      {isPasting && <PasteDialog onClose={() => setPasting(false)} />}
    </>
  );
}

function addFiles(files: FileList | null | undefined): void {
  for (const file of files ?? []) queue.add(file.name, file);
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

function PasteDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [type, setType] = useState(formats[0]!.type);
  const submit = (event: Event) => {
    event.preventDefault();
    queue.add('Pasted text', new Blob([text]), type);
    onClose();
  };
  return (
    <Dialog title="Paste text" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Text
          <textarea
            rows={12}
            required
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <FormatSelect label="Format" value={type} onChange={setType} />
        <div class="buttons">
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface FormatSelectProps {
  /** Media type. */
  readonly value: string;
  readonly onChange: (type: string) => void;
  /** For screen readers. */
  readonly label: string;
  readonly disabled?: boolean;
}

export function FormatSelect({ value, onChange, label, disabled = false }: FormatSelectProps) {
  return (
    <select
      value={value}
      disabled={disabled}
      aria-label={label}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {formats.map(({ type, title }) => (
        <option key={type} value={type}>
          {title}
        </option>
      ))}
    </select>
  );
}
