/* sources.cpp - the locals and the sources of a template of Packer, without Packer.
 *
 *   sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...
 */
#include <hcl.hpp>

#include <iostream>

int main(int argc, char **argv)
try {
    if (argc < 2) {
        std::cerr << "usage: sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...\n";
        return 2;
    }
    // Functions such as `file` may read what lies below the working directory, and nothing else.
    hcl::system_options below;
    below.folders = {"."};
    hcl::host host = hcl::host::system(below).value();

    hcl::module_loader loader = hcl::module_loader::make("packer").value();
    loader.set_host(host).value();
    loader.set_folder(argv[1]).value();
    for (int i = 2; i < argc; i++) {
        std::string_view argument = argv[i];
        std::size_t equals = argument.find('=');
        if (equals == std::string_view::npos) loader.add_values(argument).value();
        else loader.set_text(argument.substr(0, equals), argument.substr(equals + 1)).value();
    }
    hcl::loaded_module module = loader.load().value();

    bool failed = false;
    for (const hcl::declaration &declared : module.declarations()) {
        if (declared.kind == HCL_DECLARED_SOURCE) std::cout << declared.address << '\n';
        if (declared.kind != HCL_DECLARED_LOCAL) continue;
        if (declared.is_sensitive) std::cout << declared.address << " is sensitive\n";
        else if (hcl::result<hcl::value> value = module.at(declared.address))
            std::cout << declared.address << " = " << value->console().value().str() << '\n';
        else failed = (std::cerr << value.error().message(), true);
    }
    return failed;
} catch (const hcl::exception &failure) {
    std::cerr << failure.what();
    return 1;
}
