/** Measures pages of Master Data over the world of the suite. */
import { figure, figuresOfTimes, printFigure } from './figures.ts';
import { runAlternated } from './load.ts';
import { startService } from './service.ts';
import { openWorld, readWorldSize } from './world.ts';

const questions = [
  '/locations?Limit=100',
  '/locations?CountryCode=US&Limit=100',
  '/locations?Name=san&Limit=100',
  '/locations?Near=51.5,-0.12&WithinKm=500&Limit=100',
  '/locations?Near=51.5,-0.12&WithinKm=20038&Limit=100',
  '/locations?Type=Heliport,Airport&AsOf=2015-01-01&Limit=100',
  '/carriers?Limit=100',
  '/carriers?CarrierName=air&Limit=100',
  '/equipment?Limit=100',
  '/locations/LHR',
] as const;

const world = await openWorld(readWorldSize());
const service = await startService(world.url);
try {
  for (const path of questions) {
    const load = (await runAlternated({ ours: { base: service.base, paths: [path] } })).of('ours');
    printFigure('master-data', [
      figure(`${path}: requests`, load.perSecond, 'requests/s'),
      ...figuresOfTimes(path, load),
    ]);
  }
} finally {
  await service.stop();
  await world.leave();
}
