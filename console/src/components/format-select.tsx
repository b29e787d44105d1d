export interface Format {
  /** Media type. */
  readonly type: string;
  readonly title: string;
}

interface FormatSelectProps {
  /** For screen readers. */
  readonly label: string;
  readonly formats: readonly Format[];
  /** The media type that is chosen. */
  readonly value: string;
  readonly onChange: (type: string) => void;
  readonly disabled?: boolean;
}

export function FormatSelect({ label, formats, value, onChange, disabled = false }: FormatSelectProps) {
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
