// Ready queries for Neo4j Browser. Run the first two lines once, then any query; docs/neo4j-browser.md shows what comes.

:params {user: 'team', session: 'thread-bug-142-2026-03-11', thing: 'BUG-142', from: 'BUG-142', to: 'Ostra Line', on: '2026-03-18T12:00:00Z'};

:style node.Entity {caption: '{name}';} node.Episode {caption: '{title}';} node.Fact {caption: '{title}';} relationship.RELATES_TO {caption: '{predicate}';};

// 1. Timeline of a session: its turns, each leading to the next.
MATCH (session:Session {userId: $user, name: $session})-[has:HAS_EPISODE]->(episode:Episode)
OPTIONAL MATCH (episode)-[next:NEXT]->(:Episode)
RETURN session, has, episode, next;

// 2. The same as text, to be read.
MATCH (:Session {userId: $user, name: $session})-[:HAS_EPISODE]->(episode:Episode)
RETURN episode.at AS at, episode.speaker AS speaker, episode.content AS content
ORDER BY episode.at, episode.position;

// 3. Everything around one thing (a bug, a person, a place): the turns that name it, what else they name, and the facts about it.
MATCH (thing:Entity {userId: $user}) WHERE thing.name = $thing OR $thing IN thing.aliases
MATCH turns = (thing)<-[:MENTIONS]-(episode:Episode)-[:MENTIONS]->(:Entity)
OPTIONAL MATCH facts = (thing)<-[:ABOUT]-(:Fact)-[:ABOUT]->(:Entity)
RETURN turns, facts LIMIT 100;

// 4. How two things connect: the shortest ways over turns and facts.
MATCH (from:Entity {userId: $user, name: $from}), (to:Entity {userId: $user, name: $to})
MATCH path = allShortestPaths((from)-[:MENTIONS|RELATES_TO*..8]-(to))
RETURN path LIMIT 5;

// 5. What was held to be true on a date, with what it is about. Facts without a time hold until they are closed.
MATCH (fact:Fact {userId: $user})
WHERE coalesce(fact.validAt, fact.createdAt) <= datetime($on) OR fact.validAt IS NULL
WITH fact WHERE fact.invalidAt IS NULL OR fact.invalidAt > datetime($on)
RETURN fact.text AS fact, fact.validAt AS since, fact.invalidAt AS until, fact.confidence AS confidence
ORDER BY confidence DESC, since DESC LIMIT 50;

// 6. What changed and why: facts that the memory has closed, when they ended, when it learned of it, and who had said so.
MATCH (old:Fact {userId: $user}) WHERE old.expiredAt IS NOT NULL
OPTIONAL MATCH (old)-[:STATED_IN]->(said:Episode)
RETURN old.text AS was, old.validAt AS since, old.invalidAt AS until, old.expiredAt AS learnedAt, old.closedBecause AS why, collect(said.title) AS saidIn
ORDER BY learnedAt DESC LIMIT 50;

// 7. One user's memory: the sessions, and how much is in each.
MATCH (user:User {userId: $user})-[:HAS_SESSION]->(session:Session)
RETURN session.name AS session, COUNT { (session)-[:HAS_EPISODE]->() } AS turns,
  COUNT { (session)-[:HAS_EPISODE]->()<-[:STATED_IN]-(:Fact) } AS facts
ORDER BY session;

// 8. One user's memory as a graph: what it knows of how things relate.
MATCH (subject:Entity {userId: $user})-[relation:RELATES_TO]->(object:Entity)
WHERE relation.expiredAt IS NULL
RETURN subject, relation, object LIMIT 100;
