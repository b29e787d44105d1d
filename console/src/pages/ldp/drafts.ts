import type { Source } from './requests.ts';

/** A text that was not saved, and the state of the resource in which editing began. */
interface Draft {
  readonly text: string;
  readonly stored: Source;
}

/** By path. They outlive the editor, so that looking at another resource loses nothing. */
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export function draftOf(path: string): Draft | undefined {
  return drafts.get(path);
}

/** Keeps a text as long as it differs from what is stored. */
export function keepDraft(path: string, draft: Draft): void {
  if (draft.text === draft.stored.text) drafts.delete(path);
  else drafts.set(path, draft);
}

export function dropDraft(path: string): void {
  drafts.delete(path);
}
