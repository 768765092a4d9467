/** Thrown if exact elimination would need too many entries. */
export class TooWide extends RangeError {
  constructor() {
    super("its operators depend on too many others at once");
  }
}
