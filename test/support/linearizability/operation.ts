/** An operation of a client on one key, and when it ran. Times have any unit, but one clock. */
export interface Operation<Input, Output> {
  readonly input: Input;
  /**
   * What the client was told. Undefined if it got no answer: then the operation may have happened
   * at any time after its call, or never.
   */
  readonly output: Output | undefined;
  readonly called: number;
  /** Not read if the output is undefined. */
  readonly returned: number;
}

/** What operations do to one key, one after another. States are compared by `nameOf`. */
export interface Model<State, Input, Output> {
  readonly initial: State;
  nameOf(state: State): string;
  /**
   * The state after an operation, or undefined if it can't have had this output in this state. An
   * operation without an output is possible in every state.
   */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** Whether an operation with this output changes no state: a read, or what was refused. */
  changesNothing(input: Input, output: Output): boolean;
  /** Whether an answer in the history is reason to believe that an unanswered operation ran. */
  isSeen(operation: Operation<Input, Output>, history: readonly Operation<Input, Output>[]): boolean;
}
