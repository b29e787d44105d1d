import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { basicAuthorization, onSessionChange, pendingSignIn } from './session.ts';

/** Others can be in no header, so that every request would fail. */
const TOKEN = /^[!-~]+$/;

/** Asks for a name and a password, or for a token, when a request needs them. */
export function SignInDialog() {
  const [request, setRequest] = useState(pendingSignIn);
  useEffect(() => onSessionChange(() => setRequest(pendingSignIn())), []);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState('');
  if (!request) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    const token = secret.trim();
    if (name === '' && !TOKEN.test(token)) {
      setProblem('A token has only characters of ASCII, without spaces. A password needs a name, too.');
      return;
    }
    setProblem('');
    request.answer(name === '' ? `Bearer ${token}` : basicAuthorization(name, secret));
    setSecret('');
  };
  return (
    <Dialog title="Sign in" onClose={() => request.answer(undefined)}>
      <p>{request.reason}</p>
      <form onSubmit={submit}>
        <label>
          Name <span class="hint">(empty for a token)</span>
          <input
            name="username"
            autofocus
            autocomplete="username"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          Password or token
          <input
            name="password"
            type="password"
            autocomplete="current-password"
            required
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        </label>
        {problem !== '' && <Problem error={problem} />}
        <p class="hint">They are kept until this tab is closed.</p>
        <div class="buttons">
          <button type="submit" class="primary">
            Sign in
          </button>
          <button type="button" onClick={() => request.answer(undefined)}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
