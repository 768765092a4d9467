/** Milliseconds for which a pointer must rest; one that only passes points at nothing. */
const restMilliseconds = 100;

/** Reports a place of the text once the pointer rests there, and at once when it leaves. */
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
