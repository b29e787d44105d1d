import { AppError } from '../../../errors.ts';
import { positionIn } from '../text-position.ts';

/** Error `parse-error`. */
export class UpdateSyntaxError extends AppError {
  readonly text: string;
  /** The offset of the error in the text. */
  readonly offset: number;

  constructor(message: string, text: string, offset: number) {
    const sentence = message.replace(/\.$/, '').toWellFormed();
    const details = { ...positionIn(text, offset), source: 'body' } as const;
    super('parse-error', `The update is not valid SPARQL: ${sentence}.`, details);
    this.text = text;
    this.offset = offset;
  }
}

export function syntaxError(message: string, text: string, offset: number): UpdateSyntaxError {
  return new UpdateSyntaxError(message, text, offset);
}
