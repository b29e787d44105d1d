import { render } from 'preact';
import { App } from './app/app.tsx';
import { startTheme } from './app/theme.ts';

startTheme();

render(<App />, document.getElementById('app')!);
