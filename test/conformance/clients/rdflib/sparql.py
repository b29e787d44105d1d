"""What rdflib's SPARQLUpdateStore does with an endpoint; prints what it saw as JSON."""
import json
import sys

from rdflib import Dataset, Graph, Literal, URIRef, XSD
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore

endpoint = sys.argv[1]
graph_name = URIRef("urn:x:rdflib")
subject, name, age = URIRef("urn:x:s"), URIRef("urn:x:name"), URIRef("urn:x:age")

store = SPARQLUpdateStore(endpoint, endpoint)
graph = Graph(store, identifier=graph_name)
graph.add((subject, name, Literal("Zoë \"Z\"\n", lang="nl")))
graph.add((subject, age, Literal("042", datatype=XSD.integer)))
seen = {"added": len(graph)}
seen["values"] = sorted(o.n3() for o in graph.objects(subject))
seen["contains"] = (subject, age, Literal("042", datatype=XSD.integer)) in graph
rows = graph.query("SELECT ?p WHERE { ?s ?p ?o } ORDER BY ?p", initBindings={"s": subject})
seen["bound"] = [str(row.p) for row in rows]
seen["ask"] = bool(graph.query("ASK { ?s ?p ?o }").askAnswer)
constructed = graph.query("CONSTRUCT { ?s <urn:x:copy> ?o } WHERE { ?s <urn:x:name> ?o }").graph
seen["constructed"] = len(constructed)
graph.update("DELETE { ?s ?p ?o } INSERT { ?s ?p 43 } WHERE { ?s ?p ?o . FILTER(isNumeric(?o)) }")
seen["updated"] = sorted(o.n3() for o in graph.objects(subject, age))
graph.remove((subject, name, None))
seen["removed"] = len(graph)
dataset = Dataset(store=SPARQLUpdateStore(endpoint, endpoint))
seen["listed"] = str(graph_name) in [str(each.identifier) for each in dataset.graphs()]
seen["read_by_get"] = len(Graph(SPARQLStore(endpoint, method="GET"), identifier=graph_name))
store.remove_graph(graph)
seen["dropped"] = len(graph)
print(json.dumps(seen))
