/** The worker that runs the engine, so that a page never waits for it. It speaks with the page as the server does. */
import { Refusal, refusalOf } from "../lib/refusal";
import type { ClientMessage } from "../lib/messages";
import { Answers } from "./answers";
import { EngineData } from "./engineData";
import type { LiveTable, Tell } from "./liveTable";
import type { FromPage, FromWorker } from "../lib/workerMessages";

const answers = new Answers(new EngineData(new URL("..", location.href).href));
const sockets = new Map<number, { live: LiveTable; tell: Tell }>();
const say = (message: FromWorker) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<FromPage>) => {
  if (data.is === "ask") void answer(data.id, data.path, data.body);
  else if (data.is === "hear") void hear(data.socket, data.code, data.message);
  else part(data.socket);
});

async function answer(id: number, path: string, body: unknown): Promise<void> {
  try {
    say({ is: "answer", id, answer: await answers.answer(path, body) });
  } catch (problem) {
    report(problem);
    const { error, params } = refusalOf(problem);
    say({ is: "refused", id, error, params });
  }
}

/** A socket's first message opens the table: another tab may have it by the time of a later one. */
async function hear(socket: number, code: string, message: ClientMessage): Promise<void> {
  if (message.is !== "Hello") {
    const joined = sockets.get(socket);
    return joined?.live.hear(joined.tell, message);
  }
  const tell: Tell = (told) => say({ is: "told", socket, message: told });
  try {
    const live = await answers.live(code);
    sockets.set(socket, { live, tell });
    live.join(tell, message.last_event ?? 0);
  } catch (problem) {
    report(problem);
    const { error, params } = refusalOf(problem);
    tell({ is: "Refused", id: "", error, params });
  }
}

function part(socket: number): void {
  const joined = sockets.get(socket);
  sockets.delete(socket);
  joined?.live.part(joined.tell);
}

/** A fault of ours shows in the browser's console. */
function report(problem: unknown): void {
  if (!(problem instanceof Refusal)) console.error(problem);
}
