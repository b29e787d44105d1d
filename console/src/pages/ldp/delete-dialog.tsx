import { DeleteDialog } from '../../components/delete-dialog.tsx';
import { readHead, remove } from './requests.ts';

interface DeleteResourceProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteResourceDialog({ path, onClose, onDeleted }: DeleteResourceProps) {
  return (
    <DeleteDialog
      noun="resource"
      name={path}
      readTag={async (signal) => (await readHead(path, signal)).tag}
      remove={(tag) => remove(path, tag)}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>It is removed from its container. This cannot be undone, and its name is never used again.</p>
    </DeleteDialog>
  );
}
