interface FileButtonProps {
  readonly label: string;
  /** Whether several files may be chosen at once. */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Lets the user choose files. */
export function FileButton({ label, multiple = false, onFiles }: FileButtonProps) {
  return (
    <label class="file-button">
      {label}
      <input
        type="file"
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
