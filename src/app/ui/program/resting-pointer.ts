/** Time in milliseconds after which a pointer counts as resting. */
const restMilliseconds = 100;

/** Reports the offset under the pointer once it rests there, and at once when it leaves. */
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
