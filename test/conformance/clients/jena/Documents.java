import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.atlas.web.HttpException;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFFormat;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RDFWriter;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.exec.http.DSP;
import org.apache.jena.sparql.exec.http.GSP;

/**
 * Writes a graph in each format that Jena has, and reads it in each: with the Graph Store Protocol
 * at /store and /context, with RIOT and as a model, in a container; and the data set. Prints a line
 * for each step: which pairs of formats lost something, or what else it saw.
 */
public class Documents {
  private static final String NAME = "urn:x:documents";
  private static final String MORE = "<http://example.org/s> <http://example.org/more> 1 .";
  private static final String DOCUMENT =
      """
      PREFIX x: <http://example.org/>
      PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
      x:s x:name "Zoë \\"Z\\"\\n\\ttab \\\\ 𝄞"@nl, "colour"@en-GB, "" ;
        x:age "042"^^xsd:integer, 1.50, 1e0, true, "2026-11-22"^^xsd:date ;
        x:list ( 1 "two" x:three [ x:p x:q ] ), () ;
        x:node [ x:name "anonymous" ; x:knows [ x:name "nested" ] ] ;
        x:see <http://example.org/path?query=a%20b#part>, <http://example.org/Zoë> .
      _:a x:other _:b . _:b x:other _:a .
      """;
  private static final RDFFormat[] GRAPHS = {
    RDFFormat.TURTLE, RDFFormat.NTRIPLES, RDFFormat.RDFXML, RDFFormat.JSONLD, RDFFormat.RDFJSON
  };
  private static final RDFFormat[] DATASETS = {RDFFormat.TRIG, RDFFormat.NQUADS, RDFFormat.JSONLD};

  /** Argument: the URL of the server. */
  public static void main(String[] arguments) throws Exception {
    String server = arguments[0];
    Graph document = ModelFactory.createDefaultModel().getGraph();
    RDFParser.fromString(DOCUMENT, Lang.TURTLE).parse(document);
    print("triples", document.size());
    graphs("store", server, document);
    graphs("context", server, document);
    container(server, document);
    dataset(server + "/dataset", document);
  }

  private static void graphs(String path, String server, Graph document) {
    String service = server + "/" + path;
    List<String> lost = new ArrayList<>();
    for (RDFFormat written : GRAPHS) {
      graph(service).contentType(written).PUT(document);
      for (RDFFormat read : GRAPHS) {
        if (!graph(service).accept(read.getLang()).GET().isIsomorphicWith(document)) lost.add(pair(written, read));
      }
      if (!graph(service).GET().isIsomorphicWith(document)) lost.add(name(written) + " > negotiated");
      Model model = ModelFactory.createDefaultModel().read(service + "?graph=" + NAME);
      if (!model.getGraph().isIsomorphicWith(document)) lost.add(name(written) + " > model");
    }
    print(path + " lost", lost);
    Graph triple = ModelFactory.createDefaultModel().getGraph();
    RDFParser.fromString(MORE, Lang.TURTLE).parse(triple);
    graph(service).POST(triple);
    print(path + " merged", graph(service).GET().size() - document.size());
    graph(service).DELETE();
    print(path + " deleted", statusOf(() -> graph(service).GET()));
  }

  private static GSP graph(String service) {
    return GSP.service(service).graphName(NAME);
  }

  private static void container(String server, Graph document) throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    String body = RDFWriter.source(document).lang(Lang.TURTLE).asString();
    HttpRequest.Builder post =
        HttpRequest.newBuilder(URI.create(server + "/ldp"))
            .header("Content-Type", "text/turtle")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> created = http.send(post.build(), HttpResponse.BodyHandlers.ofString());
    print("ldp created", created.statusCode());
    String location = created.headers().firstValue("Location").orElseThrow();
    List<String> lost = new ArrayList<>();
    for (RDFFormat read : GRAPHS) {
      Graph found = ModelFactory.createDefaultModel().getGraph();
      RDFParser.source(location).acceptHeader(read.getLang().getHeaderString()).parse(found);
      found.find().filterDrop((triple) -> document.contains(null, triple.getPredicate(), null)).toList()
          .forEach(found::delete);
      if (!found.isIsomorphicWith(document)) lost.add(name(read));
    }
    print("ldp lost", lost);
    Model root = ModelFactory.createDefaultModel().read(server + "/ldp");
    print("ldp contained", root.contains(null, root.createProperty("http://www.w3.org/ns/ldp#contains"), root.createResource(location)));
  }

  private static void dataset(String service, Graph document) {
    DatasetGraph dataset = DatasetGraphFactory.create();
    Node one = NodeFactory.createURI("urn:x:one");
    dataset.addGraph(one, document);
    List<String> lost = new ArrayList<>();
    for (RDFFormat written : DATASETS) {
      DSP.service(service).httpHeader("If-Match", "*").contentType(written).PUT(dataset);
      for (RDFFormat read : DATASETS) {
        Graph found = DSP.service(service).accept(read.getLang()).GET().getGraph(one);
        if (!found.isIsomorphicWith(document)) lost.add(pair(written, read));
      }
    }
    print("dataset lost", lost);
    print("dataset without If-Match", statusOf(() -> DSP.service(service).PUT(dataset)));
  }

  /** Returns the status of a request that fails. */
  private static String statusOf(Runnable request) {
    try {
      request.run();
      return "no failure";
    } catch (HttpException failed) {
      return String.valueOf(failed.getStatusCode());
    }
  }

  private static String pair(RDFFormat written, RDFFormat read) {
    return name(written) + " > " + name(read);
  }

  private static String name(RDFFormat format) {
    return format.getLang().getName();
  }

  private static void print(String step, Object seen) {
    System.out.println(step + ": " + seen);
  }
}
