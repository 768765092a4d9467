import fc from "fast-check";
import { expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { createAskOnce } from "./asked-once.ts";

interface State {
  readonly chosen: number;
  readonly other: number;
}

const chosenOf = ({ chosen }: State) => chosen;

/** The value that each listener waits for; `undefined` for any. */
const listeners = fc.array(fc.option(fc.nat(3), { nil: undefined }), { maxLength: 6 });
const changes = fc.array(fc.record({ chosen: fc.nat(3), other: fc.nat(3) }), { maxLength: 12 });

test("whoever listens hears of every change that concerns it, and of no other", () => {
  const holds = fc.property(listeners, changes, (wanted, states) => {
    const store = createStore<State>()(() => ({ chosen: 0, other: 0 }));
    const question = createAskOnce(store)(chosenOf);
    const heard = wanted.map(() => 0);
    const ends = wanted.map((value, at) => {
      const hear = () => {
        heard[at] = (heard[at] ?? 0) + 1;
      };
      return value === undefined ? question.listen(hear) : question.listenFor(value, hear);
    });
    const due = wanted.map(() => 0);
    for (const state of states) {
      const before = store.getState().chosen;
      store.setState(state, true);
      wanted.forEach((value, at) => {
        const concerns = value === undefined || value === before || value === state.chosen;
        if (before !== state.chosen && concerns) due[at] = (due[at] ?? 0) + 1;
      });
      expect(question.answer()).toBe(state.chosen);
    }
    expect(heard).toEqual(due);
    for (const end of ends) end();
    store.setState({ chosen: 9, other: 9 }, true);
    expect(heard).toEqual(due);
  });
  fc.assert(holds, { seed: 1, numRuns: process.env["SOAK"] ? 5_000 : 300 });
});

test("a selector is asked once for all that listen, and is one question", () => {
  const store = createStore<State>()(() => ({ chosen: 0, other: 0 }));
  const askOnce = createAskOnce(store);
  let asked = 0;
  const counting = (state: State) => {
    asked += 1;
    return state.chosen;
  };
  const question = askOnce(counting);
  expect(askOnce(counting)).toBe(question);
  for (let at = 0; at < 50; at++) question.listenFor(at, () => {});
  asked = 0;
  store.setState({ other: 1 });
  expect(asked).toBe(1);
});
