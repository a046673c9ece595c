import { once } from 'node:events';
import { playLoad } from './prepared-stage.ts';

/** Starts the server that sends from memory the current responses of the service at `base`. */
export const playMemory = async (base: string, paths: readonly string[]) => {
  const player = await playLoad('./memory-server.ts');
  const learned = once(player.process, 'message');
  player.process.send({ base, paths: [...new Set(paths)] });
  await learned;
  return { base: `http://127.0.0.1:${String(player.said)}`, pid: player.process.pid, stop: player.stop };
};
