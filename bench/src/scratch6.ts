import { rulesExtractor } from '@tandem-memory/models';
import { newEpisode } from '@tandem-memory/core/testing';
const x = rulesExtractor();
for (const t of ['I have not sold the boat.', "I haven't sold the boat yet.", 'I did not sell the boat.', 'I never sold the boat.', 'I hardly sold the boat.', 'I still have not sold my boat.', 'I have never left Acme.', "I didn't leave Acme.", "I haven't quit Acme.", 'I have not resigned from Acme.', 'I have not divorced Tom.', 'I have not left Lindby.', 'We have not switched from Postgres.', 'I have not stopped using Maple.', "I haven't dropped Maple.", 'I never gave up chess.', 'I did not quit chess.', 'I have not stopped liking coffee.', 'I sold the boat.', 'I do not like coffee.', 'I have not moved out of Lindby.', 'I cannot quit chess.']) {
  const r = await x.extract({ episodes: [newEpisode(t)], preceding: [] });
  console.log(t, JSON.stringify(r.relations.map((q: any) => [q.subject, q.predicate, q.object])));
}
