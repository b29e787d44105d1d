import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/**
 * Runs Apache Solr on a free port of the loopback address, with one core, `documents`, in an empty
 * folder. Prints the core's URL, and ends when standard input ends.
 */
public class Server {
  private static final String CONFIGURATION =
      """
      <config>
        <luceneMatchVersion>9.11</luceneMatchVersion>
        <schemaFactory class="ManagedIndexSchemaFactory"/>
        <directoryFactory class="solr.NRTCachingDirectoryFactory"/>
        <updateHandler class="solr.DirectUpdateHandler2"><updateLog/></updateHandler>
        <requestHandler name="/select" class="solr.SearchHandler"/>
      </config>
      """;

  private static final String SCHEMA =
      """
      <schema name="documents" version="1.6">
        <fieldType name="string" class="solr.StrField"/>
        <fieldType name="strings" class="solr.StrField" multiValued="true"/>
        <fieldType name="boolean" class="solr.BoolField"/>
        <fieldType name="pint" class="solr.IntPointField" docValues="true"/>
        <fieldType name="plong" class="solr.LongPointField" docValues="true"/>
        <fieldType name="pfloat" class="solr.FloatPointField" docValues="true"/>
        <fieldType name="pdouble" class="solr.DoublePointField" docValues="true"/>
        <fieldType name="pdate" class="solr.DatePointField" docValues="true"/>
        <fieldType name="text_general" class="solr.TextField">
          <analyzer>
            <tokenizer name="standard"/>
            <filter name="lowercase"/>
          </analyzer>
        </fieldType>
        <field name="id" type="string" required="true"/>
        <field name="_version_" type="plong"/>
        <dynamicField name="*" type="strings"/>
        <uniqueKey>id</uniqueKey>
      </schema>
      """;

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    Path core = Files.createDirectories(home.resolve("documents/conf"));
    Files.writeString(home.resolve("solr.xml"), "<solr/>");
    Files.writeString(core.resolve("solrconfig.xml"), CONFIGURATION);
    Files.writeString(core.resolve("managed-schema.xml"), SCHEMA);
    Files.writeString(home.resolve("documents/core.properties"), "name=documents\n");
    System.setProperty("solr.data.home", home.toString());
    JettySolrRunner solr =
        new JettySolrRunner(home.toString(), new Properties(), JettyConfig.builder().setPort(0).build());
    solr.start();
    System.out.println("http://127.0.0.1:" + solr.getLocalPort() + "/solr/documents");
    while (System.in.read() != -1) {
    }
    System.exit(0);
  }
}
