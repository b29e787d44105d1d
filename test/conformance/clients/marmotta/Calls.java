import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.marmotta.client.ClientConfiguration;
import org.apache.marmotta.client.MarmottaClient;
import org.apache.marmotta.client.clients.ContextClient;
import org.apache.marmotta.client.clients.LDPathClient;
import org.apache.marmotta.client.clients.ResourceClient;
import org.apache.marmotta.client.model.content.StringContent;
import org.apache.marmotta.client.model.meta.Metadata;
import org.slf4j.LoggerFactory;

/**
 * Makes each call of Marmotta's Java client, and prints a line for it: its name, a tab, and what it
 * returned or threw. Calls that change something are followed by a line that reads it back.
 */
public class Calls {
  private static final String NAME = "http://xmlns.com/foaf/0.1/name";
  private static final String TURTLE = "<urn:x:imported> <" + NAME + "> \"Ida\" .";

  private interface Call {
    Object make() throws Exception;
  }

  private interface Change {
    void make() throws Exception;
  }

  /** Arguments: the URL of the server, and a graph in it with the name of <urn:x:known>. */
  public static void main(String[] arguments) {
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("ROOT")).setLevel(ch.qos.logback.classic.Level.OFF);
    String server = arguments[0];
    MarmottaClient client = new MarmottaClient(new ClientConfiguration(server));
    resources(client.getResourceClient(), server + "/resource/made");
    paths(client.getLDPathClient());
    queries(client);
    imports(client);
    configuration(client);
    ContextClient contexts = new ContextClient(new ClientConfiguration(server));
    print("ContextClient.delete", () -> contexts.delete(arguments[1]));
    print("ContextClient.delete, missing", () -> contexts.delete(arguments[1]));
  }

  private static void resources(ResourceClient resources, String made) {
    print("createResource", () -> resources.createResource(made));
    print("createResource, existing", () -> resources.createResource(made));
    print("existsResource", () -> resources.existsResource(made));
    print("existsResource, missing", () -> resources.existsResource("urn:x:missing"));
    Metadata metadata = Metadata.fromPropertiesMap(made, Map.of(NAME, "Tom"));
    print("updateResourceMetadata", () -> resources.updateResourceMetadata(made, metadata));
    print("getResourceMetadata", () -> resources.getResourceMetadata(made));
    print("getResourceMetadata, missing", () -> resources.getResourceMetadata("urn:x:missing"));
    print(
        "updateResourceContent",
        () -> resources.updateResourceContent(made, new StringContent("Hello", "text/plain")));
    print(
        "getResourceContent",
        () -> new String(resources.getResourceContent(made, "text/plain").getBytes(), StandardCharsets.UTF_8));
    print("deleteResource", () -> resources.deleteResource(made));
    print("existsResource, deleted", () -> resources.existsResource(made));
  }

  private static void paths(LDPathClient paths) {
    print("evaluatePath", () -> paths.evaluatePath("urn:x:known", "foaf:name"));
    print("evaluatePath, malformed", () -> paths.evaluatePath("urn:x:known", "foaf:name /"));
    print("evaluatePath, missing", () -> paths.evaluatePath("urn:x:missing", "foaf:name"));
    print("evaluateProgram", () -> paths.evaluateProgram("urn:x:known", "name = foaf:name :: xsd:string ;"));
  }

  private static void queries(MarmottaClient client) {
    String pattern = "{ GRAPH ?g { <urn:x:known> <" + NAME + "> ?name } }";
    print("select", () -> client.getSPARQLClient().select("SELECT ?name " + pattern));
    print("ask", () -> client.getSPARQLClient().ask("ASK " + pattern));
    print(
        "update",
        () -> client.getSPARQLClient().update("INSERT DATA { <urn:x:updated> <" + NAME + "> \"Uta\" }"));
  }

  private static void imports(MarmottaClient client) {
    print("getSupportedTypes", () -> client.getImportClient().getSupportedTypes());
    print("uploadDataset", () -> client.getImportClient().uploadDataset(TURTLE, "text/turtle"));
    print(
        "uploadDataset, stream",
        () ->
            client
                .getImportClient()
                .uploadDataset(new ByteArrayInputStream(TURTLE.getBytes(StandardCharsets.UTF_8)), "text/turtle"));
    print("uploadDataset, read back", () -> client.getSPARQLClient().ask("ASK { <urn:x:imported> ?p ?o }"));
  }

  private static void configuration(MarmottaClient client) {
    print("listConfigurationKeys", () -> client.getConfigurationClient().listConfigurationKeys());
    print("listConfigurations", () -> client.getConfigurationClient().listConfigurations("kiwi"));
    print("getConfiguration", () -> client.getConfigurationClient().getConfiguration("kiwi.context"));
    print("setConfiguration", () -> client.getConfigurationClient().setConfiguration("kiwi.context", "x"));
    print("deleteConfiguration", () -> client.getConfigurationClient().deleteConfiguration("kiwi.context"));
  }

  private static void print(String name, Change change) {
    print(
        name,
        (Call)
            () -> {
              change.make();
              return "returned";
            });
  }

  private static void print(String name, Call call) {
    String outcome;
    try {
      outcome = textOf(call.make());
    } catch (Exception thrown) {
      outcome = thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
    }
    System.out.println(name + "\t" + outcome.replaceAll("\\s+", " "));
  }

  private static String textOf(Object seen) {
    if (!(seen instanceof Map)) return String.valueOf(seen);
    return new TreeMap<>((Map<?, ?>) seen)
        .entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue()).collect(Collectors.joining(", "));
  }
}
