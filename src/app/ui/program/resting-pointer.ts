/** A pointer that only passes over the text points at nothing, in milliseconds. */
const restMilliseconds = 100;

/** Tells a place of the text once the pointer rests there, and at once that it has left. */
export function restingPointer(tell: (offset: number | undefined) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told: number | undefined;
  const say = (offset: number | undefined) => {
    if (offset === told) return;
    told = offset;
    tell(offset);
  };
  return {
    over: (offset: number | undefined) => {
      clearTimeout(timer);
      if (offset === undefined) say(undefined);
      else timer = setTimeout(() => say(offset), restMilliseconds);
    },
  };
}
