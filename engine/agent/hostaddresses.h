// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <sys/socket.h>

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// The addresses at which other hosts may reach this one, in the order of the kernel.
std::vector<contract::HostAddress> hostAddresses();

// Decides by the name: false for interfaces that container programs, libvirt and the like make for their guests, which
// every host has with the same addresses.
bool mayHavePeers(std::string_view interface);
// Nothing for an address that only this host or only its link knows.
std::string peerAddressText(const sockaddr *address);
int prefixOf(const sockaddr *mask); // 255.255.255.0: 24

} // namespace trainyard::agent
