/** Thrown where exact elimination would need more entries than there is room for. */
export class TooWide extends RangeError {
  constructor() {
    super("its operators depend on too many others at once");
  }
}
