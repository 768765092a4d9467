/** Seconds and bytes of one device. */
export interface Weight {
  readonly seconds: number;
  readonly bytes: number;
}
