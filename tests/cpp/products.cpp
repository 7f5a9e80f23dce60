// Templates of Packer and jobs of Nomad in C++.
#include "check.hpp"

int main()
{
    hcl::module_loader loader = hcl::module_loader::make("packer").value();
    CHECK(loader.add_text("a.pkr.hcl",
                          "variable \"tag\" {}\nlocals {\n  image = \"web:${var.tag}\"\n}\nsource \"docker\" \"web\" {\n"
                          "  image = local.image\n}\nbuild {\n  sources = [\"docker.web\"]\n}\n"));
    CHECK(loader.load().code() == HCL_ERR_DIAGNOSTICS);
    CHECK(loader.set_text("tag", "3"));
    hcl::loaded_module images = loader.load().value();
    SAME("\"web:3\"", images.at("local.image").value().json().value());
    hcl::value all = images.evaluated().value();
    SAME("{\"builds\":[{\"description\":\"\",\"name\":\"\",\"sources\":[{\"body\":{\"attributes\":{\"image\":\"web:3\"}},\"name\":\"web\","
         "\"post_processors\":[],\"provisioners\":[],\"source\":\"web\",\"type\":\"docker\"}]}],\"sources\":[[\"docker\",\"web\"]]}",
         all.json().value());
    std::size_t sources = 0;
    for (const hcl::declaration &one : images.declarations()) sources += one.kind == HCL_DECLARED_SOURCE;
    CHECK(sources == 1 && images.check());

    // The host says what a data source comes to.
    CHECK(loader.add_text("b.pkr.hcl", "data \"http\" \"motd\" {}\nlocals {\n  motd = data.http.motd.body\n}\n"));
    hcl::value motd = hcl::value::json("{\"body\":\"hello\"}").value();
    CHECK(loader.set_resource("data.http.motd", motd));
    SAME("\"hello\"", loader.load().value().at("local.motd").value().json().value());

    hcl::module_loader nomad = hcl::module_loader::make("nomad").value();
    CHECK(nomad.set_folder("web.nomad.hcl") && nomad.set_text("region", "eu"));
    CHECK(nomad.add_text("web.nomad.hcl", "variable \"region\" {}\njob \"web\" {\n  region = var.region\n  name = \"${node.x}\"\n}\n"));
    hcl::loaded_module job = nomad.load().value();
    SAME("{\"attributes\":{},\"blocks\":[{\"body\":{\"attributes\":{\"name\":\"${node.x}\",\"region\":\"eu\"}},\"labels\":[\"web\"],\"type\":\"job\"}]}",
         job.evaluated().value().json().value());

    CHECK(hcl::module_loader::make("terraform-1.13").value().load().value().evaluated().code() == HCL_ERR_ARGUMENT);
    CHECK(hcl::module_loader::make("nomad-9.9").code() == HCL_ERR_ARGUMENT);
    return failures != 0;
}
