"""A test fixture: the real Qdrant engine (PyPI `qdrant-edge-py`, in process) behind the few REST routes that our driver calls.

Not a Qdrant server: no cluster, no auth beyond one key, no snapshots. Filters, scores, indexes and storage are the engine's own; this file only
turns JSON into its calls. It refuses every field that it does not know, so that a test fails where the driver sends something new.

Arguments: port (0: any) and folder. With QDRANT_EDGE_API_KEY set, requests need the header `api-key`. Prints `listening <port>`.
"""

import json
import os
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit
from uuid import UUID

import qdrant_edge as engine

API_KEY = os.environ.get("QDRANT_EDGE_API_KEY")
LOCK = threading.RLock()


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def take(value, *known):
    """The named fields of a JSON object, None where absent. Any other field is refused."""
    if not isinstance(value, dict):
        raise Refused(400, "Format error in JSON body: expected an object")
    unknown = [key for key in value if key not in known]
    if unknown:
        raise Refused(400, f"This test fixture does not know the fields {unknown}")
    return [value.get(key) for key in known]


def read_match(value):
    single, several = take(value, "value", "any")
    return engine.MatchAny(several) if several is not None else engine.MatchValue(single)


def read_condition(value):
    if "has_id" in value:
        (ids,) = take(value, "has_id")
        return engine.HasIdCondition({point_id(item) for item in ids})
    key, match, span = take(value, "key", "match", "range")
    if span is not None:
        gte, gt, lte, lt = take(span, "gte", "gt", "lte", "lt")
        return engine.FieldCondition(key, range=engine.RangeFloat(gte=gte, gt=gt, lte=lte, lt=lt))
    return engine.FieldCondition(key, match=read_match(match))


def read_filter(value):
    if value is None:
        return None
    must, must_not = take(value, "must", "must_not")
    return engine.Filter(must=[read_condition(item) for item in must or []], must_not=[read_condition(item) for item in must_not or []])


def point_id(value):
    if isinstance(value, str):
        try:
            return UUID(value)
        except ValueError:
            raise Refused(400, f"Format error in JSON body: value {value} is not a valid point ID") from None
    if isinstance(value, int) and value >= 0:
        return value
    raise Refused(400, f"Format error in JSON body: value {value} is not a valid point ID")


def plain_vectors(vectors):
    return {name: {"indices": list(value.indices), "values": list(value.values)} if isinstance(value, engine.SparseVector) else list(value) for name, value in vectors.items()}


class Collection:
    def __init__(self, folder, settings):
        self.folder = folder
        self.settings = settings
        shard = os.path.join(folder, "shard")
        if os.path.isdir(shard):
            self.shard = engine.EdgeShard.load(shard)
        else:
            os.makedirs(shard)
            with open(os.path.join(folder, "settings.json"), "w", encoding="utf8") as file:
                json.dump(settings, file)
            self.shard = engine.EdgeShard.create(shard, self.config())

    def config(self):
        vectors, sparse, hnsw, quantization = take(self.settings, "vectors", "sparse_vectors", "hnsw_config", "quantization_config")
        hnsw = None if hnsw is None else engine.HnswIndexConfig(m=take(hnsw, "m", "payload_m")[0], payload_m=hnsw.get("payload_m"), ef_construct=100, full_scan_threshold=10000)
        if quantization is not None:
            (scalar,) = take(quantization, "scalar")
            _, quantile, always_ram = take(scalar, "type", "quantile", "always_ram")
            quantization = engine.ScalarQuantizationConfig(engine.ScalarType.Int8, quantile=quantile, always_ram=always_ram)
        dense = {}
        for name, params in vectors.items():
            size, distance = take(params, "size", "distance")
            dense[name] = engine.EdgeVectorParams(size=size, distance=getattr(engine.Distance, distance))
        sparse_params = {}
        for name, params in (sparse or {}).items():
            (modifier,) = take(params, "modifier")
            sparse_params[name] = engine.EdgeSparseVectorParams(modifier=engine.Modifier.Idf if modifier == "idf" else None)
        return engine.EdgeConfig(vectors=dense, sparse_vectors=sparse_params, hnsw_config=hnsw, quantization_config=quantization, max_search_threads=1)

    def sizes(self):
        return {name: params["size"] for name, params in self.settings["vectors"].items()}

    def info(self):
        shard = self.shard.info()
        params = {"vectors": self.settings["vectors"], "sparse_vectors": self.settings.get("sparse_vectors") or {}}
        return {"status": "green", "points_count": shard.points_count, "segments_count": shard.segments_count, "config": {"params": params}, "payload_schema": {key: {} for key in shard.payload_schema}}

    def vector(self, name, value):
        if isinstance(value, dict):
            indices, values = take(value, "indices", "values")
            return engine.SparseVector(indices=indices, values=values)
        size = self.sizes().get(name)
        if size is None:
            raise Refused(400, f"Wrong input: Not existing vector name error: {name}")
        if size != len(value):
            raise Refused(400, f"Wrong input: Vector dimension error: expected dim: {size}, got {len(value)}")
        return value

    def create_index(self, body):
        name, schema = take(body, "field_name", "field_schema")
        kind, tenant, lookup, span = take(schema, "type", "is_tenant", "lookup", "range")
        params = engine.KeywordIndexParams(is_tenant=tenant) if kind == "keyword" else engine.IntegerIndexParams(lookup=lookup, range=span)
        self.shard.update(engine.UpdateOperation.create_field_index(name, params))
        return {"operation_id": 0, "status": "completed"}

    def upsert(self, body):
        (points,) = take(body, "points")
        read = []
        for point in points:
            ident, vectors, payload = take(point, "id", "vector", "payload")
            read.append(engine.Point(point_id(ident), {name: self.vector(name, value) for name, value in vectors.items()}, payload))
        self.shard.update(engine.UpdateOperation.upsert_points(read))
        return {"operation_id": 0, "status": "completed"}

    def delete(self, body):
        points, condition = take(body, "points", "filter")
        operation = engine.UpdateOperation.delete_points([point_id(item) for item in points]) if points is not None else engine.UpdateOperation.delete_points_by_filter(read_filter(condition))
        self.shard.update(operation)
        return {"operation_id": 0, "status": "completed"}

    def query(self, body):
        query, using, condition, limit, threshold, payload, params = take(body, "query", "using", "filter", "limit", "score_threshold", "with_payload", "params")
        search = None
        if params is not None:
            exact, hnsw_ef, quantization = take(params, "exact", "hnsw_ef", "quantization")
            if quantization is not None:
                rescore, oversampling = take(quantization, "rescore", "oversampling")
                quantization = engine.QuantizationSearchParams(rescore=rescore, oversampling=oversampling)
            search = engine.SearchParams(exact=bool(exact), hnsw_ef=hnsw_ef, quantization=quantization)
        found = self.shard.query(
            engine.QueryRequest(
                limit=limit,
                query=engine.Query.Nearest(self.vector(using, query), using=using),
                filter=read_filter(condition),
                score_threshold=threshold,
                with_payload=payload,
                params=search,
            )
        )
        return {"points": [{"id": str(point.id), "version": point.version, "score": point.score, "payload": point.payload} for point in found]}

    def count(self, body):
        condition, exact = take(body, "filter", "exact")
        return {"count": self.shard.count(engine.CountRequest(exact=exact is not False, filter=read_filter(condition)))}

    def scroll(self, body):
        offset, limit, condition, payload, vector = take(body, "offset", "limit", "filter", "with_payload", "with_vector")
        records, following = self.shard.scroll(
            engine.ScrollRequest(offset=None if offset is None else point_id(offset), limit=limit, filter=read_filter(condition), with_payload=payload, with_vector=vector or False)
        )
        points = [{"id": str(record.id), "payload": record.payload, **({"vector": plain_vectors(record.vector)} if vector else {})} for record in records]
        return {"points": points, "next_page_offset": None if following is None else str(following)}


class Store:
    """Collections and aliases of one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.collections = {}
        self.aliases = {}
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            settings = os.path.join(folder, name, "settings.json")
            if os.path.isfile(settings):
                with open(settings, encoding="utf8") as file:
                    self.collections[name] = Collection(os.path.join(folder, name), json.load(file))
        if os.path.isfile(self.alias_file()):
            with open(self.alias_file(), encoding="utf8") as file:
                self.aliases = json.load(file)

    def alias_file(self):
        return os.path.join(self.folder, "aliases.json")

    def find(self, name):
        found = self.collections.get(self.aliases.get(name, name))
        if found is None:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        return found

    def create(self, name, body):
        if name in self.collections:
            raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
        if name in self.aliases:
            raise Refused(400, f"Wrong input: Can't create collection with name {name}. Alias with the same name already exists")
        self.collections[name] = Collection(os.path.join(self.folder, name), body)
        return True

    def drop(self, name):
        collection = self.collections.pop(name, None)
        if collection is None:
            return False
        collection.shard.close()
        shutil.rmtree(collection.folder)
        self.change_aliases([("delete", alias, name) for alias, target in self.aliases.items() if target == name])
        return True

    def update_aliases(self, body):
        (actions,) = take(body, "actions")
        steps = []
        for action in actions:
            create, delete = take(action, "create_alias", "delete_alias")
            if create is not None:
                name, alias = take(create, "collection_name", "alias_name")
                if name not in self.collections:
                    raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
                if alias in self.collections:
                    raise Refused(409, f"Wrong input: Collection `{alias}` already exists!")
                steps.append(("create", alias, name))
            else:
                (alias,) = take(delete, "alias_name")
                steps.append(("delete", alias, None))
        self.change_aliases(steps)
        return True

    def change_aliases(self, steps):
        for step, alias, name in steps:
            if step == "create":
                self.aliases[alias] = name
            else:
                self.aliases.pop(alias, None)
        with open(self.alias_file() + ".new", "w", encoding="utf8") as file:
            json.dump(self.aliases, file)
        os.replace(self.alias_file() + ".new", self.alias_file())

    def list_aliases(self):
        return {"aliases": [{"alias_name": alias, "collection_name": name} for alias, name in sorted(self.aliases.items())]}

    def list_collections(self):
        return {"collections": [{"name": name} for name in sorted(self.collections)]}


ROUTES = [
    ("GET", r"/collections", lambda store, body: store.list_collections()),
    ("GET", r"/aliases", lambda store, body: store.list_aliases()),
    ("POST", r"/collections/aliases", lambda store, body: store.update_aliases(body)),
    ("PUT", r"/collections/([^/]+)", lambda store, body, name: store.create(name, body)),
    ("GET", r"/collections/([^/]+)", lambda store, body, name: store.find(name).info()),
    ("DELETE", r"/collections/([^/]+)", lambda store, body, name: store.drop(name)),
    ("PUT", r"/collections/([^/]+)/index", lambda store, body, name: store.find(name).create_index(body)),
    ("PUT", r"/collections/([^/]+)/points", lambda store, body, name: store.find(name).upsert(body)),
    ("POST", r"/collections/([^/]+)/points/delete", lambda store, body, name: store.find(name).delete(body)),
    ("POST", r"/collections/([^/]+)/points/query", lambda store, body, name: store.find(name).query(body)),
    ("POST", r"/collections/([^/]+)/points/count", lambda store, body, name: store.find(name).count(body)),
    ("POST", r"/collections/([^/]+)/points/scroll", lambda store, body, name: store.find(name).scroll(body)),
]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body of an answer leave together: apart, the second waits 40 ms for the receipt of the first.
    wbufsize = -1
    disable_nagle_algorithm = True
    store = None

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        content = json.dumps(body).encode("utf8")
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def handle_request(self):
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = urlsplit(self.path).path
        try:
            if API_KEY is not None and self.headers.get("api-key") != API_KEY:
                raise Refused(401, "Must provide an API key or an Authorization bearer token")
            body = json.loads(content) if content else None
            for method, pattern, action in ROUTES:
                match = re.fullmatch(pattern, path) if method == self.command else None
                if match is not None:
                    with LOCK:
                        result = action(self.store, body, *(unquote(part) for part in match.groups()))
                    return self.answer(200, {"result": result, "status": "ok", "time": 0.0})
            raise Refused(404, f"This test fixture has no route {self.command} {path}")
        except Refused as refused:
            self.answer(refused.status, {"status": {"error": str(refused)}, "time": 0.0})
        except json.JSONDecodeError as error:
            self.answer(400, {"status": {"error": f"Format error in JSON body: {error}"}, "time": 0.0})
        except Exception as error:  # What the engine refuses.
            self.answer(400, {"status": {"error": f"Wrong input: {error}"}, "time": 0.0})

    do_GET = do_PUT = do_POST = do_DELETE = handle_request


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    Handler.store = Store(sys.argv[2])
    server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"listening {server.server_address[1]}", flush=True)
    server.serve_forever()
