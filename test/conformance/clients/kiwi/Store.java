import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.configuration.PropertiesConfiguration;
import org.apache.marmotta.kiwi.config.KiWiConfiguration;
import org.apache.marmotta.kiwi.persistence.h2.H2Dialect;
import org.apache.marmotta.kiwi.sail.KiWiStore;
import org.apache.marmotta.platform.core.api.config.ConfigurationService;
import org.apache.marmotta.platform.core.api.triplestore.SesameService;
import org.apache.marmotta.platform.core.services.content.FileSystemContentWriter;
import org.apache.marmotta.platform.ldp.api.LdpService.InteractionModel;
import org.apache.marmotta.platform.ldp.services.LdpBinaryStoreServiceImpl;
import org.apache.marmotta.platform.ldp.services.LdpServiceImpl;
import org.openrdf.model.URI;
import org.openrdf.repository.RepositoryConnection;
import org.openrdf.repository.sail.SailRepository;
import org.openrdf.rio.RDFFormat;
import org.openrdf.rio.Rio;
import org.slf4j.LoggerFactory;

/**
 * Fills a home directory of Marmotta by Marmotta's own services, on its own store, and writes
 * the exports of that store beside it. Arguments: the directory, and the base URI with a slash at
 * its end.
 */
public class Store {
    private static Path home;
    private static SailRepository repository;

    public static void main(String[] args) throws Exception {
        final Path place = Path.of(args[0]);
        final String base = args[1];
        home = Files.createDirectories(place.resolve("home"));
        final String url = "jdbc:h2:" + home.resolve("db/marmotta") + ";MVCC=true;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=10";
        final KiWiStore store = new KiWiStore(new KiWiConfiguration("kiwi", url, "sa", "", new H2Dialect(),
            base + "context/default", base + "context/inferred"));
        repository = new SailRepository(store);
        repository.initialize();
        final RepositoryConnection connection = repository.getConnection();
        addData(connection, base);
        addResources(connection, base + "ldp");
        writeContent(connection, base);
        export(connection, RDFFormat.TRIG, place.resolve("export.trig"));
        export(connection, RDFFormat.NQUADS, place.resolve("export.nq"));
        connection.close();
        repository.shutDown();
        writeSettings(base);
        System.exit(0);
    }

    private static void addData(RepositoryConnection connection, String base) throws Exception {
        final URI people = uri(connection, base + "context/people");
        final String prefixes = "@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix ex: <http://example.org/> .\n"
            + "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n";
        connection.begin();
        add(connection, prefixes + "<" + people + "> rdfs:label \"People\" .\n"
            + "ex:ann a foaf:Person ; foaf:name \"Ann\"@en ; foaf:age 42 ; ex:height 1.80 ; ex:weight 6.0E1 ;\n"
            + "  ex:active true ; ex:born \"1980-02-29T12:00:00.5+01:00\"^^xsd:dateTime ; ex:note \"line one\\nline \\\"two\\\" \\\\ \u00e4 \ud83d\ude00\" ;\n"
            + "  foaf:knows [ foaf:name \"Bob\" ; foaf:knows [ foaf:name \"Cem\" ] ] .\n", people);
        add(connection, prefixes + "ex:ann foaf:homepage <http://example.org/home> . _:x ex:in ex:ann .");
        add(connection, prefixes + "ex:ann a ex:Agent .", uri(connection, base + "context/inferred"));
        connection.commit();
    }

    private static void addResources(RepositoryConnection connection, String root) throws Exception {
        final LdpBinaryStoreServiceImpl binaries = new LdpBinaryStoreServiceImpl();
        inject(binaries, "configurationService", configuration());
        binaries.init();
        final LdpServiceImpl ldp = new LdpServiceImpl();
        inject(ldp, "binaryStore", binaries);
        inject(ldp, "configurationService", configuration());
        connection.begin();
        ldp.init(connection, uri(connection, root));
        final String box = root + "/box";
        final String turtle = "text/turtle";
        ldp.addResource(connection, root, box, InteractionModel.LDPC, turtle, stream(
            "@prefix dct: <http://purl.org/dc/terms/> . <> dct:title \"A box\" ; dct:creator [ dct:title \"Ann\" ] ."));
        ldp.addResource(connection, box, box + "/note", InteractionModel.LDPR, turtle, stream(
            "@prefix dct: <http://purl.org/dc/terms/> . <> dct:title \"A note\" ."));
        final String picture = ldp.addResource(connection, box, box + "/picture", InteractionModel.LDPC, "image/png",
            new ByteArrayInputStream(new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 3}));
        ldp.updateResource(connection, box + "/picture", stream(
            "@prefix dct: <http://purl.org/dc/terms/> . <" + picture + "> dct:title \"A picture\" ."), turtle);
        ldp.addResource(connection, root, root + "/gone", InteractionModel.LDPR, turtle, stream(""));
        ldp.deleteResource(connection, root + "/gone");
        connection.commit();
    }

    private static void writeContent(RepositoryConnection connection, String base) throws Exception {
        final FileSystemContentWriter writer = new FileSystemContentWriter();
        final SesameService service = (SesameService) Proxy.newProxyInstance(Store.class.getClassLoader(),
            new Class<?>[] {SesameService.class}, (proxy, method, given) -> repository.getConnection());
        inject(writer, "configurationService", configuration());
        inject(writer, "sesameService", service);
        inject(writer, "log", LoggerFactory.getLogger(Store.class));
        writer.initialise();
        writer.setContentStream(uri(connection, base + "resource/letter"), stream("Dear Ann, ".repeat(2000)), "text/plain");
        writer.setContentStream(uri(connection, base + "resource/blob"), stream("x".repeat(20000)), "application/x-unheard-of");
        writer.setContentStream(uri(connection, base + "resource/short"), stream("Dear Ann"), "text/plain");
    }

    /** As Marmotta saves its settings. */
    private static void writeSettings(String base) throws Exception {
        final PropertiesConfiguration settings = new PropertiesConfiguration(home.resolve("system-config.properties").toFile());
        final String program = "@prefix ex: <http://example.org/> ;\n# names, and more\n"
            + "name = foaf:name :: xsd:string ;\n"
            + "both = fn:concat(foaf:name, \" \\\\ \u00e4\", ex:note) :: xsd:string ;\n"
            + "local = my:local :: xsd:string ;\n";
        final Object[][] all = {
            {"kiwi.context", base}, {"prefix.my", "http://example.org/my#"}, {"solr.cores", List.of("People", "broken")},
            {"solr.people.program", program}, {"solr.broken.program", "name = / ;"}, {"solr.people.workers", "2"},
            {"user.admin.pwhash", "SHA1:secret"}, {"user.admin.roles", List.of("manager", "editor")},
            {"database.password", "secret"},
        };
        for (final Object[] each : all) {
            settings.setDelimiterParsingDisabled(each[1] instanceof String);
            settings.setProperty((String) each[0], each[1]);
            settings.setDelimiterParsingDisabled(false);
        }
        settings.save();
    }

    private static void export(RepositoryConnection connection, RDFFormat format, Path file) throws Exception {
        try (OutputStream output = new FileOutputStream(file.toFile())) {
            connection.exportStatements(null, null, null, true, Rio.createWriter(format, output));
        }
    }

    private static void add(RepositoryConnection connection, String turtle, URI... contexts) throws Exception {
        connection.add(stream(turtle), "http://example.org/", RDFFormat.TURTLE, contexts);
    }

    private static URI uri(RepositoryConnection connection, String uri) {
        return connection.getValueFactory().createURI(uri);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Settings that only know where the home directory is. */
    private static ConfigurationService configuration() {
        return (ConfigurationService) Proxy.newProxyInstance(Store.class.getClassLoader(),
            new Class<?>[] {ConfigurationService.class}, (proxy, method, given) -> switch (method.getName()) {
                case "getHome", "getWorkDir" -> home.toString();
                case "getBooleanConfiguration" -> true;
                default -> null;
            });
    }

    private static void inject(Object service, String name, Object value) throws Exception {
        final Field field = service.getClass().getDeclaredField(name);
        field.setAccessible(true);
        field.set(service, value);
    }
}
