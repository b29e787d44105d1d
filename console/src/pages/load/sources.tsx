import { useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { DropZone } from '../../components/drop-zone.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { FormatSelect } from '../../components/format-select.tsx';
import { formats } from './formats.ts';
import { queue } from './queue.ts';

/** The ways in which files get into the queue. */
export function Sources() {
  const [isPasting, setPasting] = useState(false);
  return (
    <>
      <DropZone onFiles={addFiles}>
        <p>Drag RDF files here, compressed (.gz) or not, or</p>
        <div class="buttons">
          <FileButton label="Choose files" multiple onFiles={addFiles} />
          <button type="button" onClick={() => setPasting(true)}>
            Paste text
          </button>
        </div>
      </DropZone>
      {isPasting && <PasteDialog onClose={() => setPasting(false)} />}
    </>
  );
}

function addFiles(files: readonly File[]): void {
  for (const file of files) queue.add(file.name, file);
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
        <FormatSelect label="Format" formats={formats} value={type} onChange={setType} />
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
