/** What a session uses of a WebSocket, for a table on this device: the worker with the engine is at the other end. */
import { lineToWorker } from "./here";
import type { ClientMessage } from "./messages";

const LOST = 1006; // as browsers close a socket whose server is gone

export class LocalSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readyState = 0;
  #line: { send: (message: ClientMessage) => void; close: () => void } | null = null;

  constructor(code: string) {
    lineToWorker().then(
      ({ dialHere }) => {
        if (this.readyState) return; // closed meanwhile
        this.#line = dialHere(code, (message) => this.onmessage?.({ data: JSON.stringify(message) }), () => this.onclose?.({ code: LOST }));
        this.readyState = 1;
        this.onopen?.();
      },
      () => this.onclose?.({ code: LOST }),
    );
  }

  send(text: string): void {
    this.#line?.send(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.readyState = 3;
    this.#line?.close();
  }
}
