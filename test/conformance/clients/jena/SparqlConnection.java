import java.util.ArrayList;
import java.util.List;
import org.apache.jena.query.Dataset;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.rdfconnection.RDFConnection;
import org.apache.jena.rdfconnection.RDFConnectionRemote;

/** What Jena's RDFConnectionRemote does with a server; prints a line for each step. */
public class SparqlConnection {
  private static final String GRAPH = "urn:x:jena";

  public static void main(String[] arguments) {
    try (RDFConnection connection =
        RDFConnectionRemote.newBuilder()
            .destination(arguments[0])
            .queryEndpoint("sparql")
            .updateEndpoint("sparql")
            .gspEndpoint("store")
            .build()) {
      Model model = ModelFactory.createDefaultModel();
      model.createResource("urn:x:s").addProperty(model.createProperty("urn:x:p"), "o");
      connection.put(GRAPH, model);
      print("put", connection.fetch(GRAPH).size());
      model.createResource("urn:x:t").addProperty(model.createProperty("urn:x:p"), model.createResource());
      connection.load(GRAPH, model);
      print("loaded", connection.fetch(GRAPH).size());
      List<String> subjects = new ArrayList<>();
      connection.querySelect(
          "SELECT DISTINCT ?s { GRAPH <" + GRAPH + "> { ?s ?p ?o } } ORDER BY ?s",
          (row) -> subjects.add(row.getResource("s").getURI()));
      print("selected", subjects);
      print("asked", connection.queryAsk("ASK { GRAPH <" + GRAPH + "> { ?s ?p ?o } }"));
      print("constructed", connection.queryConstruct("CONSTRUCT { ?s ?p ?o } { GRAPH <" + GRAPH + "> { ?s ?p ?o } }").size());
      print("described", connection.queryDescribe("DESCRIBE <urn:x:s>").size());
      connection.update("DELETE WHERE { GRAPH <" + GRAPH + "> { <urn:x:s> ?p ?o } }");
      connection.update("INSERT DATA { GRAPH <" + GRAPH + "> { <urn:x:u> <urn:x:p> 1, 2, 3 } }");
      print("updated", connection.fetch(GRAPH).size());
      connection.load(model);
      print("default", connection.fetch().isEmpty() ? "empty" : "filled");
      try (RDFConnection all =
          RDFConnectionRemote.newBuilder().destination(arguments[0]).gspEndpoint("dataset").build()) {
        Dataset dataset = all.fetchDataset();
        print("dataset", dataset.containsNamedModel(GRAPH));
        dataset.getNamedModel(GRAPH).createResource("urn:x:v").addLiteral(model.createProperty("urn:x:p"), 4);
        all.loadDataset(dataset);
        print("dataset loaded", connection.fetch(GRAPH).size());
      }
      connection.delete(GRAPH);
      print("deleted", connection.queryAsk("ASK { GRAPH <" + GRAPH + "> { ?s ?p ?o } }"));
    }
  }

  private static void print(String step, Object seen) {
    System.out.println(step + " " + seen);
  }
}
