/** What `X-ClickHouse-Summary` counts, as far as chDB tells it. */
export type Counts = {
  readonly readRows?: number;
  readonly readBytes?: number;
  readonly writtenRows?: number;
  readonly writtenBytes?: number;
  readonly resultRows?: number;
  readonly seconds?: number;
};

export type Answer =
  | { readonly kind: 'whole'; readonly format: string; readonly bytes: Buffer; readonly counts: Counts }
  /** Blocks are fetched as they are read; the connection is in use until the last. */
  | { readonly kind: 'blocks'; readonly format: string; readonly blocks: AsyncGenerator<Buffer, void, void> };
