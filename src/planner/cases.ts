/** How values with several readers are priced. */
export interface Cases {
  /** Up to how many cases as a whole. */
  readonly whole: number;
  /** Whether those with more of them have hubs; reader by reader where not. */
  readonly hubs: boolean;
}

export const wholeCases: Cases = { whole: 1e6, hubs: true };

/** The same where that is too wide. */
export const fewCases: Cases = { whole: 1e4, hubs: false };
