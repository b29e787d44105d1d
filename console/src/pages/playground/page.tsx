import { useState } from 'preact/hooks';
import { CodeEditor } from '../../editor/code-editor.tsx';

export function PlaygroundPage() {
  const [program, setProgram] = useState('name = foaf:name ;\n');
  return (
    <>
      <h1>Playground</h1>
      <CodeEditor label="LDPath program" value={program} onChange={setProgram} />
    </>
  );
}
